// Short tones and a phone's vibration. A browser lets a page sound only after somebody has touched it, so the context
// is made at the first use and woken again with every touch.
let context = null;

export function ready() {
  if (!window.AudioContext) return null;
  context = context || new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

// Frequencies one after the other, in hertz.
export function tone(frequencies, loudness = 0.25, seconds = 0.14) {
  const audio = ready();
  if (!audio) return;
  frequencies.forEach((frequency, index) => {
    const begins = audio.currentTime + index * seconds;
    const source = audio.createOscillator();
    const volume = audio.createGain();
    source.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(loudness, begins + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + seconds + 0.08);
    source.connect(volume).connect(audio.destination);
    source.start(begins);
    source.stop(begins + seconds + 0.1);
  });
}

export function vibrate(pattern) {
  if (navigator.vibrate) navigator.vibrate(pattern);
}

// A photograph was taken: heard, and felt on a phone.
export function shutter() {
  tone([880, 1320]);
  vibrate(120);
}
