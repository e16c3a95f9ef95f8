import { APP_VARIABLE, copyApp } from "./fixtures/app-copy.ts";

/** Builds once and hands a copy to every worker. */
export default async function globalSetup(): Promise<() => void> {
  if (process.env[APP_VARIABLE]) return () => {};
  const { folder, remove } = await copyApp();
  process.env[APP_VARIABLE] = folder;
  return remove;
}
