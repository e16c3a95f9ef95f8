/** Turns an operation of the contract into a route: sign-in, scope, validation, one handler, answer. */
import * as z from "zod/mini";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RULES, type Answer, type Checked, type Operation } from "../../contract/define.ts";
import { operations } from "../../contract/operations/all.ts";
import type { Actor } from "../domain/access.ts";
import type { Repeat } from "../domain/idempotency.ts";
import { Fault, forbidden, invalid, type InputFault } from "../lib/faults.ts";
import { isStream } from "./media/incoming.ts";
import { fromOurPage, notFromAnotherSite } from "./same-origin.ts";

export interface Call<O extends Operation> extends Checked<O> {
  /** Who asks; on open operations there is none. */
  actor: O["rule"] extends "open" ? null : Actor;
  /** The caller's `Idempotency-Key`, where the operation takes one. */
  repeat: Repeat;
  request: FastifyRequest;
  reply: FastifyReply;
}
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer<O>>;

export interface Gate {
  /** Finds out who asks; throws a 401 for a token that does not hold. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Actor | null>;
  /** Throws a 429 when this caller asks too often. */
  pace(request: FastifyRequest, reply: FastifyReply, actor: Actor | null): Promise<void>;
  publicUrl: string;
  /** Parse every answer with the contract's schema: for tests, where a mismatch is a failure. */
  checkAnswers: boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The entry of the operations table that the route was made from. */
    operation?: Operation;
  }
}

/** The live channel is no operation: it authorizes each topic by itself. */
const UNTABLED = new Set(["/api/v2/live"]);
const SAFE = new Set(["GET", "HEAD"]);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

function parse<S extends z.ZodMiniType>(schema: S | undefined, value: unknown, where: string): z.output<S> | undefined {
  if (!schema) return undefined;
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const errors: InputFault[] = result.error.issues.slice(0, 20).map((issue) => ({ path: issue.path.join(".") || where, message: plain(issue.message) }));
  const [first] = errors;
  throw new Fault(400, first ? `${first.path}: ${first.message}` : "Invalid input", { errors });
}

/** zod's "Invalid input: expected int, received string" without its preamble. */
const plain = (message: string): string => message.replace(/^(Invalid input|Invalid option|Too small|Too big|Invalid string): /, "");

/** `checked`: the request as validated; what was not asked for makes no other request, and cannot be nested without end. */
function repeatOf(operation: Operation, request: FastifyRequest, checked: unknown): Repeat {
  const key = request.headers["idempotency-key"];
  if (!operation.idempotent || key === undefined) return null;
  if (typeof key !== "string" || !IDEMPOTENCY_KEY.test(key)) throw invalid("Idempotency-Key", "must be 1 to 128 visible ASCII characters");
  return { operation: `${operation.method} ${operation.path}`, key, request: checked };
}

function demandScope(operation: Operation, actor: Actor, reply: FastifyReply): void {
  if (actor.scopes === null) return;
  if (operation.scope === "session") throw forbidden("An API token cannot do this. Sign in in a browser.");
  if (operation.scope !== null && !actor.scopes.includes(operation.scope)) {
    reply.header("WWW-Authenticate", `Bearer realm="talkback", error="insufficient_scope", scope="${operation.scope}"`);
    throw forbidden(`This token lacks the scope ${operation.scope}.`);
  }
}

export type Admit = (operation: Operation, request: FastifyRequest, reply: FastifyReply) => Promise<Actor | null>;
export type Serve = <O extends Operation>(operation: O, handler: Handler<O>) => void;

/** Collects routes; `finish` fails when the table and the routes are not the same. */
export function createServing(app: FastifyInstance, gate: Gate): { serve: Serve; admit: Admit; finish(): void } {
  const served = new Set<Operation>();

  /** Who asks, once they may ask at all: signed in, not too often, from our own page, with the scope. */
  async function admit(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<Actor | null> {
    const open = operation.rule === "open";
    const actor = open ? null : await gate.identify(request, reply);
    await gate.pace(request, reply, actor);
    if (!open && !actor) {
      reply.header("WWW-Authenticate", 'Bearer realm="talkback"');
      throw new Fault(401, "Sign in, or send an API token as Authorization: Bearer <token>.");
    }
    if (!SAFE.has(operation.method)) {
      const trusted = open ? notFromAnotherSite(request.headers, gate.publicUrl) : actor?.sessionId === null || fromOurPage(request.headers, gate.publicUrl);
      if (!trusted)
        throw forbidden(`This request did not come from Talkback's own page. Open Talkback at ${gate.publicUrl}, or set PUBLIC_URL to the address you use.`);
    }
    if (actor) demandScope(operation, actor, reply);
    return actor;
  }

  const serve: Serve = (operation, handler) => {
    demandComplete(operation);
    served.add(operation);
    app.route({
      config: { operation },
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      async handler(request, reply) {
        const actor = await admit(operation, request, reply);
        demandBodyKind(operation, request);
        const checked = {
          params: parse(operation.params, request.params, "path"),
          query: parse(operation.query, request.query, "query"),
          body: parse(operation.body, request.body, "body"),
        };
        const call = { ...checked, actor, repeat: repeatOf(operation, request, checked), request, reply } as unknown as Call<typeof operation>;
        const answer = await handler(call);
        // A route that never asked its rule would be a hole: better no answer than an unguarded one.
        if (actor && !actor.asked.has(operation.rule))
          throw new Error(`${operation.method} ${operation.path} answered without asking its rule "${operation.rule}"`);
        // Bytes were sent by the handler.
        if (operation.bytes === "answer") return reply;
        if (!operation.answer) return reply.code(204).send();
        if (gate.checkAnswers) z.parse(operation.answer, answer);
        return reply.header("Cache-Control", "no-store").type("application/json; charset=utf-8").send(JSON.stringify(answer));
      },
    });
  };

  // What is reachable under the API's paths is in the table, or nowhere.
  app.addHook("onRoute", ({ url, config }) => {
    if (/^\/(v1|api)\//.test(url) && !config?.operation && !UNTABLED.has(url))
      throw new Error(`The route ${url} is in no operations table, so it has neither scope nor rule`);
  });

  return {
    serve,
    admit,
    finish() {
      const missing = Object.entries(operations).filter(([, operation]) => !served.has(operation));
      if (missing.length > 0) throw new Error(`Operations without a route: ${missing.map(([name]) => name).join(", ")}`);
    },
  };
}

/** Bytes where bytes belong, and nowhere else. */
function demandBodyKind({ bytes }: Operation, { body }: FastifyRequest): void {
  if (bytes === "body" && !isStream(body)) throw new Fault(415, "Send the file's bytes as application/octet-stream.");
  if (bytes === undefined && isStream(body)) throw new Fault(415, "Send the body as application/json.");
}

/** Start-up fails for an operation without scope and rule, and for one that is open by mistake. */
export function demandComplete(operation: Operation): void {
  const name = `${operation.method} ${operation.path}`;
  if (!RULES.includes(operation.rule)) throw new Error(`${name} has no rule`);
  if (operation.scope === undefined) throw new Error(`${name} has no scope`);
  if ((operation.rule === "open") !== (operation.scope === null)) throw new Error(`${name}: an open operation, and only an open one, has no scope`);
}
