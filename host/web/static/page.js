// The table's page: what it draws, and the dialogs that it opens; the connection brings the views.
import { connected } from "./connection.js";
import { draw } from "./draw.js";
import { closesBesideIt } from "./modal.js";

closesBesideIt();
connected(draw);
