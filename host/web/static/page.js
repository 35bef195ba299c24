// The table's page: what it draws, and the dialogs that it opens; the connection brings the views.
import { connected } from "./connection.js";
import { openDialogs } from "./dialog.js";
import { draw } from "./draw.js";

openDialogs();
connected(draw);
