/** Invalid command line, reported together with the usage. */
export class UsageError extends Error {}
