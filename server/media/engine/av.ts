/** Maps FFmpeg error codes to typed failures. */
import { AV_LOG_QUIET, AVERROR_DECODER_NOT_FOUND, AVERROR_EAGAIN, AVERROR_EOF, AVERROR_EXPERIMENTAL, AVERROR_PATCHWELCOME } from "node-av/constants";
import { FFmpegError, Log } from "node-av/lib";
import { MediaFailure } from "../failure.ts";

Log.setLevel(AV_LOG_QUIET);

const POSIX_ENOMEM = -12;
const POSIX_ENOENT = -2;
const POSIX_EIO = -5;
/** ENOSPC on Linux and macOS. The Windows C runtime uses the same number. */
const POSIX_ENOSPC = -28;
const POSIX_ENOSYS = -38;

/** Errors by which the engine says that it lacks something, not that the file is wrong. */
const UNSUPPORTED = new Set<number>([AVERROR_PATCHWELCOME, AVERROR_DECODER_NOT_FOUND, AVERROR_EXPERIMENTAL, POSIX_ENOSYS]);

export const isAgain = (code: number): boolean => code === AVERROR_EAGAIN;
export const isEnd = (code: number): boolean => code === AVERROR_EOF;
export const isUnsupported = (code: number): boolean => UNSUPPORTED.has(code);

export const describeError = (code: number): string => FFmpegError.strerror(code);

/** Throws a typed failure if an engine call returned an error code, and returns the code otherwise. `format` is the name that people know. */
export function check(code: number, operation: string, format?: string): number {
  if (code >= 0) return code;
  const detail = `${operation}: ${describeError(code)}`;
  if (code === POSIX_ENOMEM) throw new MediaFailure("out-of-memory", detail);
  if (code === POSIX_ENOENT || code === POSIX_EIO) throw new MediaFailure("missing", detail);
  if (code === POSIX_ENOSPC) throw new MediaFailure("disk-full", detail);
  if (isUnsupported(code)) throw new MediaFailure("not-supported", detail, format && unsupportedForm(format));
  throw new MediaFailure("damaged", detail);
}

/** `format` is one of FFmpeg's long names, of which the explanation in brackets is left out. */
export const unsupportedForm = (format: string): string => `This form of ${shortName(format)} is not supported.`;
export const shortName = (format: string): string => format.replace(/ ?[(/].*/, "");

/** Converts a time base (AVRational) to seconds per tick. */
export const secondsPerTick = (base: { num: number; den: number }): number => base.num / base.den;
