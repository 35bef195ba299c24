/* Stands in for Adafruit's library where the sketch is compiled without the internet: the same calls, the Nano target's strip behind
   them. Like the library it keeps interrupts off for the whole strip. Used by `make check` only. */
#ifndef STAND_IN_NEOPIXEL_H
#define STAND_IN_NEOPIXEL_H

#include <Arduino.h>

extern "C" {
void strip_start(void);
void strip_show(const uint8_t *wire, uint8_t bytes);
}

#define NEO_RGB 0
#define NEO_KHZ800 0

class Adafruit_NeoPixel {
public:
  Adafruit_NeoPixel(uint16_t count, int16_t, uint16_t) : count_(count) {}
  void begin() { strip_start(); }
  uint16_t numPixels() const { return count_; }
  void updateLength(uint16_t count) { count_ = count; }
  void setPixelColor(uint16_t at, uint8_t a, uint8_t b, uint8_t c)
  {
    bytes_[3 * at] = a;
    bytes_[3 * at + 1] = b;
    bytes_[3 * at + 2] = c;
  }
  void show() { strip_show(bytes_, (uint8_t)(3 * count_)); }

private:
  uint16_t count_;
  uint8_t bytes_[3 * 36];
};

#endif
