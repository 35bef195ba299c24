/* The firmware's own version, told in HELLO and in the image's name. */
#ifndef ALLFRONTS_VERSION_H
#define ALLFRONTS_VERSION_H

enum { FIRMWARE_MAJOR = 1, FIRMWARE_MINOR = 1, FIRMWARE_PATCH = 1 };

#endif
