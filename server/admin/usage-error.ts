/** A wrong call: told with the usage. */
export class UsageError extends Error {}
