/** Declares the optional package without types. `labels.ts` declares the parts that it uses. */
declare module "@huggingface/transformers";
