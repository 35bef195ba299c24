"""Reading the table: pixels to a sight."""

import os as _os

# The reader multiplies many small matrices. Threads cost them more time than they save, and starve the rest of the
# program; the setting must stand before numpy is imported and leaves anyone's own choice alone.
_os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The same for OpenCV's own: a filmed game was followed in the same time with a third less of the processors.
_os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
# A picture file may claim any size: what would fill the memory is refused before it is decoded (8192 x 8192).
_os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 26))
