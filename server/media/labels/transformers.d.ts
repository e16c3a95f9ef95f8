/** The optional package has types of its own; this stands in for them where it is not installed. */
declare module "@huggingface/transformers" {
  const library: unknown;
  export = library;
}
