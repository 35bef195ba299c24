// The table's page: what it draws, and the dialogs that it opens; the connection brings the views.
import { openDialogs } from "./ask.js";
import { connected } from "./connection.js";
import { draw } from "./draw.js";

openDialogs();
connected(draw);
