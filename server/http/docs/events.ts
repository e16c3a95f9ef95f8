/** Describes the live channel: its path, its frames, and the data of every event and signal. */
import { EVENT_ACCESS, SIGNAL_ACCESS, type Access } from "../../../contract/event-access.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import * as events from "../../../contract/events.ts";
import * as z from "zod/mini";
import type { Convert, JsonSchema } from "./json-schema.ts";
import { failures } from "./responses.ts";

const EVENT_DATA: Record<string, z.ZodMiniType> = { ...events.EVENT_DATA, [events.WITHHELD]: z.looseObject({}) };

/** Turns an event type such as `file.status_changed` into a name such as `FileStatusChanged`. */
export const typeName = (type: string): string => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns one schema for each of several records that their member `type` tells apart, named `<Type><suffix>`, and the schema of any of them. */
export function describeTypes(
  data: Record<string, JsonSchema>,
  suffix: string,
  members: JsonSchema,
  descriptions: Record<string, string> = {},
): { schemas: Record<string, JsonSchema>; any: JsonSchema } {
  const schemas: Record<string, JsonSchema> = {};
  for (const [type, schema] of Object.entries(data)) {
    schemas[`${typeName(type)}${suffix}`] = {
      type: "object",
      ...(descriptions[type] === undefined ? {} : { description: descriptions[type] }),
      properties: { ...members, type: { type: "string", const: type }, data: schema },
      required: [...Object.keys(members), "type", "data"],
    };
  }
  const reference = (type: string) => `#/components/schemas/${typeName(type)}${suffix}`;
  const types = Object.keys(data);
  return {
    schemas,
    any: {
      oneOf: types.map((type) => ({ $ref: reference(type) })),
      discriminator: { propertyName: "type", mapping: Object.fromEntries(types.map((type) => [type, reference(type)])) },
    },
  };
}

/** Says which scopes a token needs. */
export const describeScopes = (scopes: readonly Scope[]): string =>
  `A token needs the scope${scopes.length > 1 ? "s" : ""} ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.`;
const describeAccess = (access: Record<string, Access>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(access).map(([type, { scope, furtherScopes = [] }]) => [
      type,
      scope === "session" ? "Not for tokens." : describeScopes([scope, ...furtherScopes]),
    ]),
  );

/** The schemas of frames, events and signals. Clients ignore types that they do not know. */
export function describeFrames(convert: Convert): Record<string, JsonSchema> {
  const convertAll = (schemas: Record<string, z.ZodMiniType>) =>
    Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, convert(schema, "output")]));
  const { topic, seq, time } = convert(z.omit(events.liveEvent, { type: true, data: true }), "output").properties as JsonSchema;
  const live = describeTypes(convertAll(EVENT_DATA), "Event", { topic, seq, time }, describeAccess(EVENT_ACCESS));
  const signals = describeTypes(convertAll(events.SIGNAL_DATA), "Signal", {}, describeAccess(SIGNAL_ACCESS));
  const serverFrame = convert(events.serverFrame, "output") as { anyOf: { properties: Record<string, JsonSchema> }[] };
  for (const { properties } of serverFrame.anyOf) if (properties.signal) properties.signal = { $ref: "#/components/schemas/Signal" };
  return {
    ...live.schemas,
    ...signals.schemas,
    LiveEvent: live.any,
    Signal: signals.any,
    ClientFrame: convert(events.clientFrame, "input"),
    ServerFrame: serverFrame,
  };
}

/** The path of the live channel, which is not an operation. */
export const LIVE_CHANNEL: JsonSchema = {
  get: {
    operationId: "live",
    summary: "The live channel",
    description:
      "A WebSocket that carries events of the topics you subscribe to. The client sends `ClientFrame`, the service `ServerFrame`, each as JSON in a text frame. The section Live describes how to use it.",
    tags: ["Live"],
    "x-source": "extension",
    "x-scope": "account:read",
    security: [{ bearer: ["account:read"] }, { oauth2: ["account:read"] }, { session: [] }, {}],
    parameters: [
      {
        name: "ticket",
        in: "query",
        required: false,
        schema: { type: "string", maxLength: 256 },
        description: "From `POST /api/v2/live/ticket`, for clients that can send neither cookie nor header.",
      },
    ],
    responses: {
      "101": { description: "Switching to WebSocket." },
      ...failures([400, 401, 403, 408, 412, 429, 431], { 400: "The request does not ask for a WebSocket, or the ticket is malformed." }),
    },
  },
};
