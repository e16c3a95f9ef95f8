/** An optional package: what `labels.ts` uses of it is named there. */
declare module "@huggingface/transformers";
