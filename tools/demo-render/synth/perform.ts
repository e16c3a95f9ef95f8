/** Renders a song: reads the grids bar by bar and returns one track for each stem, with reverb and echo already applied. */
import { drumSeconds, renderDrum } from "./drums.ts";
import { pingPongDelay, reverb } from "./effects.ts";
import { type Chord, closeVoicing, parseChord, parseNote, pitchToFrequency } from "./harmony.ts";
import { barSeconds, type Instrument, type Patterns, type Section, type Song, songSeconds, type StemName, STEMS } from "./song.ts";
import { type Note, noteSeconds, renderNote } from "./synthesizer.ts";
import { addTrack, applyGain, decibelsToGain, SAMPLE_RATE, seededRandom, silentTrack, type Track } from "./track.ts";

/** Gain of a drum hit by its character in the grid. */
const HIT_GAINS: Record<string, number> = { X: 1, x: 0.72, o: 0.42 };
/** Width of the range of random deviations of each note from the grid, as if a human played it. */
const TIMING_DEVIATION_SECONDS = 0.004;
/** Variants of each cached sound, used in turn, because exact repetition sounds mechanical. */
const VARIANTS = 2;

interface Bar {
  section: Section;
  /** Index within the section. */
  index: number;
  /** Start in seconds. */
  at: number;
  chordAt(step: number): Chord;
}

interface Player {
  song: Song;
  random: () => number;
  track: Track;
  sampler: Sampler;
  secondsAt(bar: Bar, step: number): number;
}

export type Stems = Record<StemName, Track>;

interface Bus {
  dry: Track;
  reverbSend: Track;
  echoSend: Track;
}

/** Renders separate stems that add up to the song. `maxSeconds` limits the rendering to the song's beginning. */
export function renderStems(song: Song, maxSeconds = songSeconds(song)): Stems {
  const buses = renderBuses(song, maxSeconds, (instrument) => instrument.stem);
  return Object.fromEntries(STEMS.map((name) => [name, buses.get(name)?.dry ?? silentTrack(maxSeconds)])) as Stems;
}

/** Renders the whole song as one track, which is faster than adding its stems. */
export const renderMix = (song: Song, maxSeconds = songSeconds(song)): Track => renderBuses(song, maxSeconds, () => "all").get("all")!.dry;

function renderBuses<Name extends string>(song: Song, maxSeconds: number, busNameOf: (instrument: Instrument) => Name): Map<Name, Bus> {
  const bars = listBars(song).filter(({ at }) => at < maxSeconds);
  const stepsPerBar = song.beatsPerBar * song.stepsPerBeat;
  const stepSeconds = 60 / song.bpm / song.stepsPerBeat;
  const secondsAt = (bar: Bar, step: number): number => bar.at + (step + (step % 2 === 1 ? song.swing : 0)) * stepSeconds;
  const kicks = bars.flatMap((bar) => [...marks(patternAt(bar.section.patterns["kick"], bar.index) ?? "")].map(({ step }) => secondsAt(bar, step)));
  const buses = new Map<Name, Bus>();
  Object.entries(song.instruments).forEach(([name, instrument], nth) => {
    const track = silentTrack(maxSeconds);
    const player: Player = { song, random: seededRandom(song.seed + nth * 101), track, sampler: new Sampler(), secondsAt };
    for (const bar of bars) {
      const pattern = patternAt(bar.section.patterns[name], bar.index);
      if (pattern === undefined) continue;
      if (instrument.plays !== "melody" && pattern.length !== stepsPerBar)
        throw new Error(`${song.title}, ${bar.section.name}, ${name}: "${pattern}" does not have ${stepsPerBar} steps`);
      playBar(player, instrument, bar, pattern);
    }
    if (instrument.duck) duck(track, kicks, instrument.duck);
    const bus = buses.get(busNameOf(instrument)) ?? { dry: silentTrack(maxSeconds), reverbSend: silentTrack(maxSeconds), echoSend: silentTrack(maxSeconds) };
    buses.set(busNameOf(instrument), bus);
    const gain = decibelsToGain(instrument.level);
    addTrack(bus.dry, track, gain);
    if (instrument.reverb) addTrack(bus.reverbSend, track, gain * instrument.reverb);
    if (instrument.echo) addTrack(bus.echoSend, track, gain * instrument.echo);
  });
  const fade = sectionFades(song, bars);
  for (const { dry, reverbSend, echoSend } of buses.values()) {
    const echo = pingPongDelay(echoSend, (60 / song.bpm) * song.echoBeats, 0.45);
    addTrack(dry, echo, 1);
    addTrack(reverbSend, echo, 0.3);
    addTrack(dry, reverb(reverbSend, song.reverbSize), 1);
    applyGain(dry, fade);
  }
  return buses;
}

function listBars(song: Song): Bar[] {
  let at = 0;
  const half = (song.beatsPerBar * song.stepsPerBeat) / 2;
  return song.sections.flatMap((section) =>
    Array.from({ length: section.bars }, (_, index) => {
      const chords = section.chords[index % section.chords.length]!.split(" ").map(parseChord);
      const bar: Bar = { section, index, at, chordAt: (step) => chords[chords.length > 1 && step >= half ? 1 : 0]! };
      at += barSeconds(song);
      return bar;
    }),
  );
}

/** Yields each mark of a grid with its length in steps: `_` prolongs the preceding mark. */
function* marks(grid: string): Generator<{ step: number; mark: string; steps: number }> {
  for (let step = 0; step < grid.length; step++) {
    const mark = grid[step]!;
    if (mark === "." || mark === "_") continue;
    let steps = 1;
    while (grid[step + steps] === "_") steps++;
    yield { step, mark, steps };
  }
}

function playBar({ song, random, track, sampler, secondsAt }: Player, instrument: Instrument, bar: Bar, pattern: string): void {
  const stepSeconds = 60 / song.bpm / song.stepsPerBeat;
  const timingDeviation = (): number => (random() - 0.5) * TIMING_DEVIATION_SECONDS;
  const sound = (at: number, steps: number, pitch: number, gain: number): void => {
    if (instrument.plays === "drum") return;
    const { patch, pan } = instrument;
    const note: Note = { seconds: steps * stepSeconds * 0.96, frequency: pitchToFrequency(pitch), ...(pan ? { pan } : {}) };
    const make = (target: Track): void => renderNote(target, patch, note, random());
    sampler.place(track, `${pitch} ${steps}`, { at: at + timingDeviation(), seconds: noteSeconds(patch, note), gain }, make);
  };
  if (instrument.plays === "melody") {
    let step = 0;
    for (const token of pattern.split(" ")) {
      const [name = "", length = ""] = token.split("/");
      if (name !== "-") sound(secondsAt(bar, step), Number(length), parseNote(name), 1);
      step += Number(length);
    }
    return;
  }
  for (const { step, mark, steps } of marks(pattern)) {
    const at = secondsAt(bar, step);
    if (instrument.plays === "drum") {
      const { drum } = instrument;
      const gain = (HIT_GAINS[mark] ?? 0.72) * (0.94 + 0.12 * random());
      sampler.place(track, drum, { at: at + timingDeviation(), seconds: drumSeconds(drum), gain }, (target) => renderDrum(target, drum, random));
      continue;
    }
    const chord = bar.chordAt(step);
    if (instrument.plays === "bass") {
      const root = instrument.lowestPitch + ((chord.bass - instrument.lowestPitch + 120) % 12);
      sound(at, steps, root + (mark === "8" ? 12 : mark === "5" ? 7 : 0), 1);
    } else if (instrument.plays === "chords") {
      const tones = closeVoicing(chord, instrument.lowestPitch);
      // The tones of a chord start 6 ms apart, as on a keyboard.
      tones.forEach((tone, n) => sound(at + n * 0.006, steps, tone, 1 / Math.sqrt(tones.length)));
    } else {
      const tones = closeVoicing(chord, instrument.lowestPitch);
      const n = Number(mark);
      sound(at, instrument.noteSteps ?? steps, tones[n % tones.length]! + 12 * Math.floor(n / tones.length), step % song.stepsPerBeat === 0 ? 1 : 0.8);
    }
  }
}

const patternAt = (patterns: Patterns | undefined, index: number): string | undefined =>
  patterns && patterns.length > 0 ? patterns[index % patterns.length] : undefined;

/** Lowers a track at each kick and lets it recover. */
function duck({ left, right }: Track, kicks: readonly number[], depth: number): void {
  for (const kick of kicks) {
    const from = Math.round(kick * SAMPLE_RATE);
    const length = Math.min(Math.round(0.3 * SAMPLE_RATE), left.length - from);
    for (let i = 0; i < length; i++) {
      const gain = 1 - depth * Math.min(1, i / 60) * Math.exp((-i / SAMPLE_RATE) * 11);
      left[from + i]! *= gain;
      right[from + i]! *= gain;
    }
  }
}

/** Returns the gain over time that results from the sections' fades. */
function sectionFades(song: Song, bars: readonly Bar[]): (seconds: number) => number {
  const seconds = barSeconds(song);
  return (t) => {
    const bar = bars[Math.min(bars.length - 1, Math.floor(t / seconds))]!;
    const [from, to] = bar.section.fade ?? [0, 0];
    const progress = Math.min(1, (bar.index + (t - bar.at) / seconds) / bar.section.bars);
    return decibelsToGain(from + (to - from) * progress);
  };
}

/** Caches rendered sounds, because a song repeats them and rendering a note costs more than adding it. */
class Sampler {
  readonly #cache = new Map<string, { sounds: Track[]; next: number }>();

  /** Adds the sound `name` at `at` seconds; `make` renders it into a track of `seconds`. */
  place(to: Track, name: string, { at, seconds, gain }: { at: number; seconds: number; gain: number }, make: (track: Track) => void): void {
    const cached = this.#cache.get(name) ?? { sounds: [], next: 0 };
    this.#cache.set(name, cached);
    const nth = cached.next++ % VARIANTS;
    let sound = cached.sounds[nth];
    if (!sound) {
      sound = silentTrack(seconds);
      make(sound);
      cached.sounds[nth] = sound;
    }
    mix(to, sound, Math.max(0, Math.round(at * SAMPLE_RATE)), gain);
  }
}

function mix(to: Track, sound: Track, from: number, gain: number): void {
  const { left, right } = to;
  const { left: soundLeft, right: soundRight } = sound;
  const length = Math.min(soundLeft.length, left.length - from);
  for (let i = 0; i < length; i++) {
    left[from + i]! += soundLeft[i]! * gain;
    right[from + i]! += soundRight[i]! * gain;
  }
}
