/** A JSON schema or any other part of the OpenAPI document. */
export type JsonSchema = { [member: string]: unknown };
