/** A real service, also with an agent, which tests kill and start again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Engine } from "../db/database.ts";
import { systemClock } from "../lib/clock.ts";
import { createAgent } from "./agents.ts";
import { createTestDatabase } from "./engines.ts";
import { sendRawRequest } from "./raw-socket.ts";
import { createOwner, type Environment, startService } from "./service-process.ts";

/** Starts a service with an owner, which tests kill and start again. It ends with the test, and so does its data. */
export async function startKillableService(engine: Engine, overrides: Environment = {}) {
  const data = await createTestDatabase(engine);
  const dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
  const environment: Environment = { ...overrides, ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}) };
  const owner = await createOwner(dataDir, environment);
  const database = data.open();
  let service = await startService(dataDir, environment);
  onTestFinished(async () => {
    await service.kill();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    database,
    owner,
    environment: { DATA_DIR: dataDir, ...environment },
    /** The address, which another one takes after a start. */
    base: () => service.base,
    kill: () => service.kill(),
    async startAgain(): Promise<void> {
      service = await startService(dataDir, environment);
    },
  };
}

/** Starts a service with a project and an agent in it. */
export async function startServiceWithAgent(engine: Engine, overrides: Environment = {}) {
  const { database, owner, base, kill, startAgain } = await startKillableService(engine, overrides);
  /** Sends a request of the owner. */
  const send = (method: string, path: string, body: Buffer, contentType = "application/json") =>
    sendRawRequest(base(), owner, { method, path, headers: { "content-type": contentType }, body });
  const call = async (method: string, path: string, body: object) => (await send(method, path, Buffer.from(JSON.stringify(body)))).json;
  const [team] = (await call("POST", "/v1/teams/ls", {})).data;
  const project = (await call("POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).data as { id: number; root_folder_id: number };
  const { id: ownerId, organisation_id: organisationId } = await database.read
    .selectFrom("accounts")
    .select(["id", "organisation_id"])
    .executeTakeFirstOrThrow();
  const agent = await createAgent({ database, clock: systemClock }, { createdBy: { id: ownerId }, projects: [project.id] });
  return {
    database,
    project,
    ownerId,
    organisationId,
    agent,
    send,
    call,
    kill,
    startAgain,
  };
}
