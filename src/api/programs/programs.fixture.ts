/** Gives the tests of programs a service behind a network that can fail, and stand-ins that respond as a test chooses. */
import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { startCuttableService, startStubService, type CuttableService } from "../../../server/testing/cuttable-service.ts";
import { createTalkback, type Talkback } from "../talkback.ts";

/* oxlint-disable import/no-mutable-exports -- each file of tests has its own */
/** One service for all tests of a file. */
export let service: CuttableService;
/** A program's client for it. */
export let talkback: Talkback;
/** A folder of the disk. */
export let folder: string;
/* oxlint-enable import/no-mutable-exports */

/** Sets up the environment for the tests of a file. */
export function setUpPrograms(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talkback-programs-"));
    service = await startCuttableService();
    talkback = createTalkback({ baseUrl: `${service.baseUrl}/`, token: service.token });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Starts a service that only the test answers for, until the test ends, and returns a client for it. Its base address has a path. */
export async function startStub(respond: RequestListener): Promise<Talkback> {
  const { baseUrl, close } = await startStubService(respond);
  onTestFinished(close);
  return createTalkback({ baseUrl, token: "secret" });
}
