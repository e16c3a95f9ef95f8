/** What writing tags needs of a file, and what it makes of it. */
export interface ByteSource {
  size: number;
  /** Reads the bytes from `start` up to `end`, which is not included; fewer at the end of the file. */
  read(start: number, end: number): Promise<Buffer>;
}

export interface Tag {
  /** One of the standard names, such as "title" or "isrc", or a custom one. */
  name: string;
  value: string;
}

/** A range of the original, whose end is not included. `rewrite` changes bytes of it while they are sent, and never their number. */
export interface Range {
  start: number;
  end: number;
  rewrite?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/** A tagged copy in order: new bytes, and ranges of the original. */
export type Piece = Buffer | Range;

export const pieceLength = (piece: Piece): number => (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start);
export const totalLength = (pieces: readonly Piece[]): number => pieces.reduce((sum, piece) => sum + pieceLength(piece), 0);

/** Tags of a file are read whole up to this size; a longer one is not rewritten. */
export const MAX_TAG_BYTES = 32_000_000;

/** An ISRC in a tag has no hyphens. */
export const tagValue = ({ name, value }: Tag): string => (name === "isrc" ? value.replaceAll("-", "") : value);
