"""Reading the table: pixels to a sight."""

import os as _os

# The reader multiplies many small matrices. Threads cost them more time than they save, and starve the rest of the
# program; the setting must stand before numpy is imported and leaves anyone's own choice alone.
_os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
