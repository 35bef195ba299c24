"""Reading the table: pixels to a sight."""

import os as _os

# The reader multiplies many small matrices. Threads cost them more time than they save, and starve the rest of the
# program; the setting must stand before numpy is imported and leaves anyone's own choice alone.
_os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The same for OpenCV's own: a filmed game was followed in the same time with a third less of the processors.
_os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
