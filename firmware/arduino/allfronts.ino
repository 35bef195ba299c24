/* All Fronts' lights on any board that the Arduino IDE knows: the same core as on the Nano, with the IDE's own serial port and
   Adafruit's NeoPixel library (install it by the library manager). `make -C firmware/arduino` puts this and the core into one sketch.

   On a Nano or Uno rather use the firmware that `allfronts flash` brings: it loses no byte while the strip is written, which this
   sketch can (the host then asks again), and it has a watchdog. */
#include <Adafruit_NeoPixel.h>
#include <EEPROM.h>

extern "C" {
#include "src/core/controller.h"
}

/* Pins, by the chip's own numbers; change them here. Buttons go to ground. On an ESP32 the pins 6 to 11 are the flash's, 0, 2, 12 and
   15 decide how it starts, 1 and 3 are the serial port's; on an ESP8266 likewise 6 to 11, 0, 2 and 15, 1 and 3. */
#if defined(ARDUINO_ARCH_ESP32) && defined(CONFIG_IDF_TARGET_ESP32C3)
static const uint8_t LIGHTS_PIN = 4;
static const uint8_t NEAR_PIN = 5;
static const uint8_t FAR_PIN = 6;
#elif defined(ARDUINO_ARCH_ESP32)
static const uint8_t LIGHTS_PIN = 16;
static const uint8_t NEAR_PIN = 25;
static const uint8_t FAR_PIN = 26;
#elif defined(ARDUINO_ARCH_ESP8266)
static const uint8_t LIGHTS_PIN = 4;    /* D2 */
static const uint8_t NEAR_PIN = 12;     /* D6 */
static const uint8_t FAR_PIN = 13;      /* D7 */
#else
static const uint8_t LIGHTS_PIN = 6;
static const uint8_t NEAR_PIN = 2;
static const uint8_t FAR_PIN = 3;
#endif

#if defined(ARDUINO_ARCH_ESP8266) || defined(ARDUINO_ARCH_ESP32) || defined(ARDUINO_ARCH_RP2040)
#define EEPROM_IN_FLASH 1    /* kept in RAM until it is committed */
#else
#define EEPROM_IN_FLASH 0
#endif

/* NEO_RGB: bytes go out as they are given; the core has put them into the strip's order. */
static Adafruit_NeoPixel strip(CHAIN_MAX, LIGHTS_PIN, NEO_RGB + NEO_KHZ800);
static Controller controller;
static bool unsaved;

static uint32_t hal_millis(void) { return millis(); }

static int16_t hal_receive(void) { return (int16_t)Serial.read(); }

/* The IDE's port waits where it is full, and answers are short. Nobody there (boards with USB of their own): nothing is said. */
static uint8_t hal_room(void) { return Serial ? 255 : 0; }

static void hal_send(uint8_t byte) { Serial.write(byte); }

static void hal_show(const uint8_t *wire, uint8_t bytes)
{
  if (strip.numPixels() != bytes / 3) {
    strip.updateLength(bytes / 3);  /* allocates: only where the chain's length changed */
  }
  for (uint8_t light = 0; light < bytes / 3; light++) {
    strip.setPixelColor(light, wire[3 * light], wire[3 * light + 1], wire[3 * light + 2]);
  }
  strip.show();
}

static uint8_t hal_buttons(void)
{
  return (uint8_t)((digitalRead(NEAR_PIN) == LOW ? 1 : 0) | (digitalRead(FAR_PIN) == LOW ? 2 : 0));
}

static uint8_t hal_load(uint16_t address) { return EEPROM.read(address); }

static void hal_store(uint16_t address, uint8_t value)
{
  if (EEPROM.read(address) != value) {
    EEPROM.write(address, value);
    unsaved = true;
  }
}

static void hal_hang(void) {}

static void hal_counters(LineCounters *counters)
{
  counters->overrun = 0;
  counters->ring_full = 0;
  counters->framing = 0;
  counters->show_us = 0;
}

static uint16_t hal_supply_mv(void) { return 0; }

static const Hal HAL = {hal_millis, hal_receive, hal_room, hal_send,     hal_show,     hal_buttons,
                        hal_load,   hal_store,   hal_hang, hal_counters, hal_supply_mv};

void setup()
{
  pinMode(NEAR_PIN, INPUT_PULLUP);
  pinMode(FAR_PIN, INPUT_PULLUP);
  strip.begin();
  Serial.begin(115200);
#if EEPROM_IN_FLASH
  EEPROM.begin(256);
#endif
  controller_start(&controller, &HAL, BOARD_SKETCH, CAUSE_UNTOLD, CAN_LIGHTS | CAN_PIXELS | CAN_SELF_TEST | CAN_KEEP);
}

void loop()
{
  controller_poll(&controller);
#if EEPROM_IN_FLASH
  if (unsaved) {
    EEPROM.commit();
  }
#endif
  unsaved = false;
}
