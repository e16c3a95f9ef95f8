/** Knows which speakers channels belong to, and how channels are mixed for fewer speakers. */
import { AV_CHANNEL_ORDER_AMBISONIC, AV_CHANNEL_ORDER_CUSTOM, AV_CHANNEL_ORDER_NATIVE, AV_CHANNEL_ORDER_UNSPEC } from "node-av/constants";
import { avChannelLayoutDescribe, type ChannelLayout } from "node-av/lib";

export interface Speakers {
  /** Never a custom order, which the binding cannot pass on. */
  channelLayout: ChannelLayout;
  /** The speakers as the file declares them: `stereo`, `5.1(side)`, `9 channels`. */
  layout: string;
  /** Positions in the file of the channels, which blocks have in FFmpeg's own order. Null if that is the file's. */
  order: readonly number[] | null;
}

/** FFmpeg's names of speakers, with their bits. */
const SPEAKERS = [
  ..."FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR".split(" ").map((name, bit) => [name, bit] as const),
  ..."DL DR WL WR SDL SDR LFE2 TSL TSR BFC BFL BFR SSL SSR TTL TTR".split(" ").map((name, index) => [name, index + 29] as const),
];
const SPEAKER_BITS = new Map(SPEAKERS);

const maskOf = (bits: readonly number[]): bigint => bits.reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n);
const masks = (names: string): bigint => maskOf(names.split(" ").map((name) => SPEAKER_BITS.get(name)!));

/** Speakers that so many channels usually have. FFmpeg's own list has subwoofers and ceilings for recordings of 3, 10 or 24 channels, which are stems. */
const USUAL_SPEAKERS = new Map([
  [1, masks("FC")],
  [2, masks("FL FR")],
  [3, masks("FL FR FC")],
  [4, masks("FL FR BL BR")],
  [5, masks("FL FR FC BL BR")],
  [6, masks("FL FR FC LFE BL BR")],
  [7, masks("FL FR FC LFE BC SL SR")],
  [8, masks("FL FR FC LFE BL BR SL SR")],
]);

export const unspecifiedLayout = (channels: number): ChannelLayout => ({ nbChannels: channels, order: AV_CHANNEL_ORDER_UNSPEC, mask: 0n });

/** Returns the usual speakers of so many channels, or a layout without speakers where there are no usual ones. */
export function defaultLayout(channels: number): ChannelLayout {
  const mask = USUAL_SPEAKERS.get(channels);
  return mask === undefined ? unspecifiedLayout(channels) : { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask };
}

/** Returns the declared speakers, or those that so many channels usually have: a plain WAV or a raw stream declares none. */
export function readSpeakers(declared: ChannelLayout, channels: number): Speakers {
  const describe = (layout: ChannelLayout): string => avChannelLayoutDescribe(layout) ?? `${channels} channels`;
  if (declared.order === AV_CHANNEL_ORDER_CUSTOM) return readCustomOrder(describe(declared), channels);
  const isKnown = declared.order === AV_CHANNEL_ORDER_NATIVE || declared.order === AV_CHANNEL_ORDER_AMBISONIC;
  return { channelLayout: isKnown ? declared : defaultLayout(channels), layout: describe(declared), order: null };
}

/**
 * Reads the order of channels that a QuickTime or CAF file lists, such as "2 channels (FR+FL)". The layout itself is a pointer into FFmpeg's memory, which
 * is valid while its frame is and must not be kept.
 */
function readCustomOrder(description: string, channels: number): Speakers {
  const bits = (/\((.+)\)/.exec(description)?.[1] ?? "").split("+").map((name) => SPEAKER_BITS.get(name) ?? -1);
  const isComplete = bits.length === channels && new Set(bits).size === channels && !bits.includes(-1);
  if (!isComplete) return { channelLayout: defaultLayout(channels), layout: `${channels} channels`, order: null };
  const order = [...bits.keys()].toSorted((a, b) => bits[a]! - bits[b]!);
  const channelLayout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask: maskOf(bits) };
  return { channelLayout, layout: avChannelLayoutDescribe(channelLayout) ?? description, order };
}

/** Creates the matrix row by row: one row per output, one value per input. */
const createMatrix = (from: number, to: number, level: (output: number, input: number) => number): number[] =>
  Array.from({ length: from * to }, (_, index) => level(Math.floor(index / from), index % from));

/** Mixes channels without known speakers: each output is the average of every n-th input, and channels that the input lacks are silent. */
export const averageMatrix = (from: number, to: number): number[] =>
  createMatrix(from, to, (output, input) => (input % to === output ? 1 / Math.ceil((from - output) / to) : 0));

/** Mixes a sound field (W, Y, Z, X, ...) to two microphones that face left and right, or to one that hears all around. */
const ambisonicMatrix = (from: number, to: number): number[] =>
  createMatrix(from, to, (output, input) => {
    if (to !== 2) return input === output ? 1 : 0;
    return input === 0 ? 0.5 : input === 1 ? 0.5 - output : 0;
  });

const FRONT_PAIR = new Set(["FL", "FR", "FLC", "FRC", "DL", "DR"]);

/** Returns what a speaker adds to left and right: its side at full level in front and 3 dB lower elsewhere, both sides for the middle, nothing for subwoofers. */
function sidesOf(name: string): [left: number, right: number] {
  if (name.startsWith("LFE")) return [0, 0];
  const level = FRONT_PAIR.has(name) ? 1 : Math.SQRT1_2;
  if (name.includes("L")) return [level, 0];
  if (name.includes("R")) return [0, level];
  return name === "FC" ? [level, level] : [level * Math.SQRT1_2, level * Math.SQRT1_2];
}

/** Mixes known speakers to stereo or mono (Lo/Ro of ITU-R BS.775), so much lower that no sound within full scale leaves it. Null if nothing but subwoofers is there. */
function stereoMatrix(mask: bigint, from: number, to: number): number[] | null {
  const sides = SPEAKERS.filter(([, bit]) => (mask & (1n << BigInt(bit))) !== 0n).map(([name]) => sidesOf(name));
  if (sides.length !== from) return null;
  const matrix = createMatrix(from, to, (output, input) => (to === 2 ? sides[input]![output]! : sides[input]![0] + sides[input]![1]));
  const sums = Array.from({ length: to }, (_, output) => matrix.slice(output * from, (output + 1) * from).reduce((sum, level) => sum + level, 0));
  const highest = Math.max(...sums);
  return highest === 0 ? null : matrix.map((level) => level / Math.max(1, highest));
}

/** Returns the levels of each input in each output, or null where FFmpeg's own mix serves. */
export function mixMatrix(from: ChannelLayout, to: ChannelLayout): number[] | null {
  const [inputs, outputs] = [from.nbChannels, to.nbChannels];
  if (from.order === AV_CHANNEL_ORDER_AMBISONIC) return ambisonicMatrix(inputs, outputs);
  // FFmpeg would play mono 3 dB quieter in stereo. Players play it on both sides as it is.
  if (inputs === 1 && outputs === 2) return [1, 1];
  const isSame = from.mask === to.mask && inputs === outputs;
  if (isSame) return null;
  if (from.order === AV_CHANNEL_ORDER_UNSPEC || to.order === AV_CHANNEL_ORDER_UNSPEC) return averageMatrix(inputs, outputs);
  return outputs <= 2 ? (stereoMatrix(from.mask, inputs, outputs) ?? averageMatrix(inputs, outputs)) : null;
}
