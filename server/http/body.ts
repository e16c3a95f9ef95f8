/** Body parsers: byte streams pass through unread; JSON must be valid UTF-8 of at most 256 KiB, and an empty body counts as none. */
import type { FastifyInstance } from "fastify";
import { HttpError } from "../lib/faults.ts";
import { drainUnreadBodies } from "./media/incoming.ts";

export function registerBodyParsers(app: FastifyInstance): void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  drainUnreadBodies(app);
  // The handler streams these bytes to disk. tus uses a content type of its own.
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
