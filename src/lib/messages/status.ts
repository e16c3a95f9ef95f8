import { room } from "./define.ts";

export const t = room({
  none: "No status",
  statusOf: "Status of {file}: {status}",
  guest: "Guests cannot change a status.",
  loading: "Loading statuses…",
  loadFailed: "The statuses could not be loaded. Try again",
  empty: "The team has no statuses.",
  set: "{file} is now {status}",
  notSet: "The status of {file} was not changed",
});
