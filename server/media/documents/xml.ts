/** Reads XML element by element. Document types are skipped, so that no entity of the file's own is expanded, and nothing is loaded. */
import { SaxesParser } from "saxes";
import { damaged, DOCUMENT_LIMITS } from "./document-text.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
  /** True to stop before the end. */
  isDone?(): boolean;
}

export async function parseXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder("utf-8");
  let depth = 0;
  parser.on("error", () => {
    throw damaged();
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > DOCUMENT_LIMITS.xmlDepth) throw damaged();
    handler.open(name, attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    handler.close(name);
  });
  parser.on("text", (text) => handler.text(text));
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (handler.isDone?.()) return;
  }
  parser.close();
}

/** Returns a handler that ignores everything within these elements. */
export function skipWithin(names: ReadonlySet<string>, handler: XmlHandler): XmlHandler {
  let skipping = 0;
  return {
    ...handler,
    open(name, attributes) {
      if (names.has(name)) skipping += 1;
      if (skipping === 0) handler.open(name, attributes);
    },
    close(name) {
      if (skipping === 0) handler.close(name);
      if (names.has(name)) skipping -= 1;
    },
    text(text) {
      if (skipping === 0) handler.text(text);
    },
  };
}
