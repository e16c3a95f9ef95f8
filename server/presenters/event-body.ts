/** The body of a webhook. `data` goes in as the text that was stored with the event, so that every try sends the same bytes. */
import type { Row } from "../db/schema.ts";

export const eventBody = ({ id, type, data }: Pick<Row<"outbound_events">, "id" | "type" | "data">): string =>
  `{"object":"event","id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"data":${data}}`;
