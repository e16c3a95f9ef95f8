/** The session cookie, named with the prefix `__Host-` if the public URL uses https. */
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

export function createSessionCookie(publicUrl: string, maxAgeMs: number): SessionCookie {
  const secure = publicUrl.startsWith("https:");
  const name = secure ? "__Host-talkback" : "talkback";
  const options: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure };
  return {
    read: (request) => request.cookies[name],
    set: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge: maxAgeMs / 1_000 }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
