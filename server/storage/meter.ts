/** Counts and hashes bytes on their way to storage. */
import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import { HttpError } from "../lib/errors.ts";

export interface StreamLimits {
  maxBytes: number;
  expectedBytes?: number | undefined;
}

/** Counts and hashes the bytes that flow through; fails once they exceed the limits. */
export function createMeter(limits: StreamLimits) {
  const hash = createHash("sha256");
  let size = 0;
  const limit = limits.expectedBytes ?? limits.maxBytes;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limits.maxBytes) return done(new HttpError(413, `The file is larger than the limit of ${limits.maxBytes.toLocaleString("en")} bytes.`));
      if (size > limit) return done(new HttpError(400, `The upload is longer than the ${limit.toLocaleString("en")} bytes it declared.`));
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (limits.expectedBytes === undefined || size === limits.expectedBytes) return done();
      done(new HttpError(400, `The upload ended after ${size.toLocaleString("en")} of ${limits.expectedBytes.toLocaleString("en")} bytes.`));
    },
  });
  return { stream, result: () => ({ size, sha256: hash.digest("hex") }) };
}
