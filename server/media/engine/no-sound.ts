/** Explains why nothing of a stream could be decoded, without calling a file damaged that is not. */
import { AV_CODEC_ID_FLAC } from "node-av/constants";
import { Codec, type Stream } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { shortName, unsupportedForm } from "./av.ts";
import type { DecodeStats } from "./decode.ts";
import { declaredSeconds, type Input } from "./open.ts";

/** FFmpeg's parser looks for the end of a frame within 20 average frames. */
const MAX_FLAC_FRAME_BYTES = 163_840;

/** Returns the failure for a stream of which no sample was decoded. */
export function explainNoSound(input: Input, stream: Stream, { bytes, brokenAtEnd, isTruncated, isUnsupported }: DecodeStats): MediaFailure {
  const detail = `no frame decoded of ${bytes} bytes, ${brokenAtEnd} broken packets`;
  const codec = Codec.findDecoder(stream.codecpar.codecId)?.longName ?? "this format";
  const seconds = declaredSeconds(input);
  const limit = limitOf(stream, { isUnsupported });
  if (limit) return new MediaFailure("not-supported", detail, limit);
  if (bytes > 0)
    return new MediaFailure("damaged", detail, `Nothing could be decoded: the file is damaged, or a form of ${shortName(codec)} that is not supported.`);
  if (seconds > 0) return new MediaFailure("damaged", detail, `The file is damaged: its header declares ${seconds.toFixed(1)} s of sound, which is missing.`);
  return isTruncated ? new MediaFailure("damaged", detail) : new MediaFailure("no-sound", detail);
}

/** Names the limit of the engine by which parts of the stream were skipped, or returns null if they are damaged as far as it can tell. */
export function limitOf(stream: Stream, { isUnsupported }: Pick<DecodeStats, "isUnsupported">): string | null {
  const codec = Codec.findDecoder(stream.codecpar.codecId)?.longName ?? "this format";
  if (isUnsupported) return unsupportedForm(codec);
  return largestFlacFrame(stream) > MAX_FLAC_FRAME_BYTES ? "FLAC frames of more than 160 kB are not supported." : null;
}

/** Reads the size in bytes that STREAMINFO declares (RFC 9639, 8.2). 0 means unknown. */
function largestFlacFrame({ codecpar: { codecId, extradata } }: Stream): number {
  return codecId === AV_CODEC_ID_FLAC && extradata && extradata.length >= 10 ? extradata.readUIntBE(7, 3) : 0;
}
