/** Process in which a running service creates the demo. It exits together with the service. */
import { openPostgresDatabase, openSqliteDatabase } from "../../db/database.ts";
import type { SeedRequest } from "../../modules/demo/module.ts";
import { makeDemo } from "./make.ts";

async function runRequest({ config, masterKey, organisationId, ownerId, token }: SeedRequest): Promise<void> {
  const database = config.databaseUrl ? openPostgresDatabase(config.databaseUrl) : openSqliteDatabase(config.dataDir);
  try {
    await makeDemo({ config, database, masterKey: Buffer.from(masterKey, "base64"), organisationId, ownerId, token, processedBy: "service" });
  } finally {
    await database.close();
  }
}

process.once("disconnect", () => process.exit(1));
process.once("message", (request) => {
  runRequest(request as SeedRequest).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
