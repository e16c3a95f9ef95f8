/** Opens PDFs with pdf.js: a worker parses them, and only the bytes that the shown pages need are fetched. Scripts in them never run. */
import { getDocument, PDFDataRangeTransport, PDFWorker, TextLayer, VerbosityLevel, version } from "pdfjs-dist/legacy/build/pdf.mjs";
// oxlint-disable-next-line import/default -- the build makes a worker of it
import ParserWorker from "pdfjs-dist/legacy/build/pdf.worker.mjs?worker";
import { ratioOf } from "./page-layout.ts";

export type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;
export type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;
/** Fetches the bytes from `from` up to `to` (exclusive). */
export type ReadRange = (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>;

export interface OpenedPdf {
  document: PdfDocument;
  /** Height divided by width of the first page. */
  ratio: number;
  TextLayer: typeof TextLayer;
}

/** Bytes: about ten pages of text. */
const RANGE_BYTES = 2 ** 18;
/** Pixels of a picture in the document; larger ones are left out. */
const MAX_IMAGE_PIXELS = 2 ** 26;
/** Where the build puts the library's fonts, character tables and decoders; see `bin/build/pdf-files.ts`. */
const FILES = `${import.meta.env.BASE_URL}assets/pdfjs-${version}/`;

type FetchBytes = (from: number, to: number) => Promise<ArrayBuffer>;

class ServiceRanges extends PDFDataRangeTransport {
  readonly #fetchBytes: FetchBytes;
  readonly #onFailed: () => void;
  /** Ends of the ranges that failed to load, by their beginnings. */
  readonly #failed = new Map<number, number>();

  constructor(length: number, fetchBytes: FetchBytes, onFailed: () => void) {
    super(length, null);
    this.#fetchBytes = fetchBytes;
    this.#onFailed = onFailed;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#fetchBytes(begin, end).then(
      (bytes) => this.onDataRange(begin, new Uint8Array(bytes)),
      () => {
        this.#failed.set(begin, end);
        this.#onFailed();
      },
    );
  }

  retry(): void {
    const ranges = [...this.#failed];
    this.#failed.clear();
    for (const [begin, end] of ranges) this.requestDataRange(begin, end);
  }
}

interface OpenOptions {
  read: ReadRange;
  /** Bytes of the file. */
  size: number;
  /** Closes the document. */
  signal: AbortSignal;
  /** Called if the parser ends after the document was opened. */
  onError(error: unknown): void;
  /** Called for bytes that failed to load; what needs them waits until `retry` has loaded them. */
  onStalled(retry: () => void): void;
}

/** Rejects if the bytes cannot be read as a PDF. */
export async function openPdf({ read, size, signal, onError, onStalled }: OpenOptions): Promise<OpenedPdf> {
  const parser = new ParserWorker();
  const worker = PDFWorker.create({ port: parser, verbosity: VerbosityLevel.ERRORS });
  const failed = Promise.withResolvers<never>();
  const range: ServiceRanges = new ServiceRanges(
    size,
    (from, to) => read(from, to, signal),
    () => !signal.aborted && onStalled(() => range.retry()),
  );
  const task = getDocument({
    range,
    worker,
    rangeChunkSize: RANGE_BYTES,
    disableStream: true,
    disableAutoFetch: true,
    verbosity: VerbosityLevel.ERRORS,
    // The page's policy forbids WebAssembly; the library has the same decoders as scripts.
    useWasm: false,
    wasmUrl: FILES,
    cMapUrl: FILES,
    standardFontDataUrl: FILES,
    maxImageSize: MAX_IMAGE_PIXELS,
    enableXfa: false,
  });
  const close = () => {
    failed.reject(signal.reason);
    task.destroy().catch(() => {});
    // Also ends a worker that a hostile document keeps busy.
    parser.terminate();
  };
  signal.addEventListener("abort", close, { once: true });
  failed.promise.catch(() => {});
  parser.addEventListener("error", (event) => {
    failed.reject(new Error(event.message));
    if (!signal.aborted) onError(event);
  });
  const document = await Promise.race([task.promise, failed.promise]);
  const first = await Promise.race([document.getPage(1), failed.promise]);
  return { document, ratio: ratioOf(first.getViewport({ scale: 1 })), TextLayer };
}
