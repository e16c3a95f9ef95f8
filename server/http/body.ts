/** Streams of bytes pass through; JSON bodies: valid UTF-8, at most 256 KiB, an empty one counts as none. */
import type { FastifyInstance } from "fastify";
import { HttpError } from "../lib/faults.ts";
import { drainUnreadBodies } from "./media/incoming.ts";

export function registerBodyParsers(app: FastifyInstance): void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  drainUnreadBodies(app);
  // Bytes are not read here: the handler streams them to disk. tus has a type of its own.
  app.addContentTypeParser(["application/octet-stream", "application/offset+octet-stream"], (_request, payload, done) => done(null, payload));
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = decoder.decode(body as Buffer);
    } catch {
      return done(new HttpError(400, "The body is not valid UTF-8."));
    }
    try {
      return done(null, JSON.parse(text));
    } catch (error) {
      return done(new HttpError(400, `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`));
    }
  });
}
