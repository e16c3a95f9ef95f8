/** Writes WAV files that the product's own writer cannot: any number of channels, with or without a channel mask, any float value. */
import { writeFileSync } from "node:fs";

export interface WavOptions {
  sampleRate: number;
  /** `f32` by default. */
  samples?: "s16" | "f32" | "f64";
  /** Speakers of WAVE_FORMAT_EXTENSIBLE. Without it, the file names none. */
  mask?: number;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
/** The end of a subformat's GUID, after its two bytes of format. */
const GUID_END = Buffer.from("000000001000800000aa00389b71", "hex");
const CLAMPED = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)));

export function writeWav(path: string, channels: readonly (Float32Array | Float64Array)[], { sampleRate, samples = "f32", mask }: WavOptions): void {
  const [count, length] = [channels.length, channels[0]!.length];
  const bits = samples === "s16" ? 16 : samples === "f32" ? 32 : 64;
  const frame = (count * bits) / 8;
  const data = samples === "s16" ? new Int16Array(length * count) : samples === "f32" ? new Float32Array(length * count) : new Float64Array(length * count);
  for (const [c, channel] of channels.entries()) for (let i = 0; i < length; i++) data[i * count + c] = samples === "s16" ? CLAMPED(channel[i]!) : channel[i]!;
  const format = Buffer.alloc(mask === undefined ? 16 : 40);
  const code = samples === "s16" ? PCM : FLOAT;
  format.writeUInt16LE(mask === undefined ? code : EXTENSIBLE, 0);
  format.writeUInt16LE(count, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * frame, 8);
  format.writeUInt16LE(frame, 12);
  format.writeUInt16LE(bits, 14);
  if (mask !== undefined) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(bits, 18);
    format.writeUInt32LE(mask, 20);
    format.writeUInt16LE(code, 24);
    GUID_END.copy(format, 26);
  }
  const chunk = (name: string, size: number): Buffer => {
    const header = Buffer.alloc(8);
    header.write(name, "latin1");
    header.writeUInt32LE(size, 4);
    return header;
  };
  const body = Buffer.from(data.buffer);
  const parts = [Buffer.from("WAVE"), chunk("fmt ", format.length), format, chunk("data", body.length), body];
  writeFileSync(
    path,
    Buffer.concat([
      chunk(
        "RIFF",
        parts.reduce((sum, part) => sum + part.length, 0),
      ),
      ...parts,
    ]),
  );
}
