/** Passes a stream on only as far as there is space for it, which is asked for in steps, so that a slow stream does not keep much from others. */

export const STEP_BYTES = 8 * 1024 * 1024;

interface Admission {
  /** Admits the first `wanted` bytes of the stream, or fewer, but at least `needed`, and returns how many; throws if these do not fit. */
  admit(needed: number, wanted: number): Promise<number>;
  /** Called once the consumer has taken a part. */
  onTaken?(bytes: number): void;
}

/** `admitted`: bytes admitted before the first part. */
export async function* admitInSteps(source: AsyncIterable<Uint8Array>, { admit, onTaken }: Admission, admitted = 0): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > admitted) admitted = await admit(size, size + STEP_BYTES);
    yield chunk;
    onTaken?.(chunk.length);
  }
}
