/** The people who use the cluster, their project, and the endpoint of its webhooks. */
import { readConfig } from "../../server/config.ts";
import { createModules } from "../../server/create-modules.ts";
import { openPostgresDatabase } from "../../server/db/database.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { loadMasterKey } from "../../server/master-key.ts";
import { issueToken } from "../../server/modules/accounts/api-tokens.ts";
import { createAccount } from "../../server/modules/accounts/create-account.ts";
import { joinProject } from "../../server/modules/projects/memberships.ts";
import { createOwner } from "../../server/testing/service-process.ts";
import type { Cluster } from "./cluster.ts";
import type { Headers } from "./requests.ts";
import { createSend, isOk, parseData } from "./requests.ts";

export interface People {
  owner: Headers;
  members: { id: number; headers: Headers }[];
  project: number;
  /** The project's root folder. */
  folder: number;
}

const SCOPES = ["chat:read", "chat:write", "files:read", "files:write"] as const;

export async function createPeople({ balancer, environment, dataDir, databaseUrl }: Cluster, count: number, webhookUrl: string): Promise<People> {
  const owner = (await createOwner(dataDir, environment)).headers;
  const send = createSend(balancer, AbortSignal.timeout(60_000));
  async function call(path: string, body: object): Promise<unknown> {
    const answer = await send("POST", path, owner, body);
    if (!isOk(answer)) throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`);
    return parseData(answer);
  }
  const [team] = (await call("/v1/teams/ls", {})) as { id: number }[];
  const project = (await call("/v1/account/projects/create", { name: "Album", team_id: team!.id })) as { id: number; root_folder_id: number };
  await call("/api/v2/webhook-endpoints", { url: webhookUrl, event_types: ["message.created", "file.uploaded"] });

  const config = readConfig({ ...environment, DATA_DIR: dataDir });
  const database = openPostgresDatabase(databaseUrl);
  try {
    const { deps } = createModules({ database, config, masterKey: loadMasterKey(config) });
    const now = systemClock.now();
    const { organisation_id: organisationId } = await database.read.selectFrom("teams").select("organisation_id").executeTakeFirstOrThrow();
    const members: People["members"] = [];
    for (let index = 1; index <= count; index += 1)
      await database.write(async (tx) => {
        const username = `writer ${index}`;
        const names = { username, email: `writer.${index}@talkback.test`, passwordHash: "none" };
        const account = await createAccount(tx, database.engine, now, { organisationId, role: "member", ...names });
        await joinProject(tx, deps, now, await tx.selectFrom("projects").selectAll().where("id", "=", project.id).executeTakeFirstOrThrow(), account);
        const { token } = await issueToken(tx, now, account.id, { name: "cluster", scopes: [...SCOPES], expiresAt: null });
        members.push({ id: account.id, headers: { authorization: `Bearer ${token}` } });
      });
    return { owner: { ...owner }, members, project: project.id, folder: project.root_folder_id };
  } finally {
    await database.close();
  }
}
