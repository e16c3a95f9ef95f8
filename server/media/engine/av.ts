/** Maps FFmpeg error codes to typed failures. */
import { AV_LOG_QUIET, AVERROR_EAGAIN, AVERROR_EOF } from "node-av/constants";
import { FFmpegError, Log } from "node-av/lib";
import { MediaFailure } from "../failure.ts";

Log.setLevel(AV_LOG_QUIET);

const POSIX_ENOMEM = -12;
const POSIX_ENOENT = -2;
const POSIX_EIO = -5;
/** ENOSPC on Linux and macOS. The Windows C runtime uses the same number. */
const POSIX_ENOSPC = -28;

export const isAgain = (code: number): boolean => code === AVERROR_EAGAIN;
export const isEnd = (code: number): boolean => code === AVERROR_EOF;

export const describeError = (code: number): string => FFmpegError.strerror(code);

/** Throws a typed failure if an engine call returned an error code, and returns the code otherwise. */
export function check(code: number, operation: string): number {
  if (code >= 0) return code;
  const detail = `${operation}: ${describeError(code)}`;
  if (code === POSIX_ENOMEM) throw new MediaFailure("out-of-memory", detail);
  if (code === POSIX_ENOENT || code === POSIX_EIO) throw new MediaFailure("missing", detail);
  if (code === POSIX_ENOSPC) throw new MediaFailure("disk-full", detail);
  throw new MediaFailure("damaged", detail);
}

/** Converts a time base (AVRational) to seconds per tick. */
export const secondsPerTick = (base: { num: number; den: number }): number => base.num / base.den;
