// Short tones. A browser lets a page sound only after somebody has touched it, so the context is made at the first use.
let context = null;

function ready() {
  if (!window.AudioContext) return null;
  context = context || new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

export function tone(frequencies) {
  const audio = ready();
  if (!audio) return;
  frequencies.forEach((frequency, index) => {
    const begins = audio.currentTime + index * 0.14;
    const source = audio.createOscillator();
    const volume = audio.createGain();
    source.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(0.25, begins + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.22);
    source.connect(volume).connect(audio.destination);
    source.start(begins);
    source.stop(begins + 0.25);
  });
}

// A photograph was taken: heard, and felt on a phone.
export function shutter() {
  tone([880, 1320]);
  if (navigator.vibrate) navigator.vibrate(120);
}
