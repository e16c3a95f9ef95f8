import { APP_VARIABLE, copyApp } from "./fixtures/app-copy.ts";

/** Builds the program once and gives every worker the same copy. */
export default async function globalSetup(): Promise<() => void> {
  if (process.env[APP_VARIABLE]) return () => {};
  const { folder, remove } = await copyApp();
  process.env[APP_VARIABLE] = folder;
  return remove;
}
