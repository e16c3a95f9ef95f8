/** The worker has no types of its own; the library finds it by a global name. */
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs";
