/** Keeps some of the disk free, so that the database stays writable however much is uploaded. */
import { admitInSteps } from "../lib/admit-in-steps.ts";
import { HttpError } from "../lib/errors.ts";

export interface DiskSpace {
  /** Bytes that this process may still write. */
  free: number;
  total: number;
}

const DEFAULT_RESERVE = { bytes: 1_000_000_000, shareOfDisk: 0.02 };

export const diskFull = (): HttpError =>
  new HttpError(507, "The server's disk is full. Nothing was saved. Files cannot be stored until there is free space; everything else still works.");

/** `reserveBytes`: space to keep free; 0 turns the check off, null keeps 1 GB or 2 % of the disk, whichever is less. */
export function createDiskReserve(readDiskSpace: () => Promise<DiskSpace>, reserveBytes: number | null) {
  /** Bytes admitted but not written yet, by all streams of this process. */
  let pendingBytes = 0;

  async function availableBytes(): Promise<number> {
    if (reserveBytes === 0) return Number.POSITIVE_INFINITY;
    const { free, total } = await readDiskSpace();
    const reserve = reserveBytes ?? Math.min(DEFAULT_RESERVE.bytes, total * DEFAULT_RESERVE.shareOfDisk);
    return Math.max(0, free - reserve - pendingBytes);
  }

  return {
    /** Returns how many bytes fit beside the reserve. */
    availableBytes,

    /**
     * Passes the stream on as long as its bytes fit beside the reserve, else throws a 507. A declared size must fit before the first byte
     * is read, but only the next step of it is held, so that slow uploads do not keep space from others.
     */
    async *admit(source: AsyncIterable<Uint8Array>, declaredBytes = 0): AsyncGenerator<Uint8Array> {
      let admitted = 0;
      let written = 0;
      const admit = async (needed: number, wanted: number): Promise<number> => {
        const available = admitted + (await availableBytes());
        if (needed > available) throw diskFull();
        const total = Math.min(wanted, available);
        pendingBytes += total - admitted;
        return (admitted = total);
      };
      const onTaken = (bytes: number): void => {
        written += bytes;
        pendingBytes -= bytes;
      };
      try {
        if (declaredBytes > 0 && declaredBytes > (await availableBytes())) throw diskFull();
        yield* admitInSteps(source, { admit, onTaken });
      } finally {
        pendingBytes -= admitted - written;
      }
    },
  };
}
