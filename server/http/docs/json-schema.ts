/** A JSON schema, or a part of the document: looked into member by member. */
export type JsonSchema = { [member: string]: unknown };
