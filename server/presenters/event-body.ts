/** Builds the body of a webhook. `data` is inserted as the text stored with the event, so that every attempt sends the same bytes. */
import type { Row } from "../db/schema.ts";

export const eventBody = ({ id, type, data }: Pick<Row<"outbound_events">, "id" | "type" | "data">): string =>
  `{"object":"event","id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"data":${data}}`;
