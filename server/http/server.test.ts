import { expect, it } from "vitest";
import { createServer } from "./server.ts";

it("the log has neither queries, nor headers, nor bodies of requests, nor redirects", async () => {
  const lines: string[] = [];
  const server = await createServer({
    publicUrl: "http://talkback.test",
    logLevel: "trace",
    trustProxy: [],
    logStream: { write: (line) => void lines.push(line) },
  });
  server.get("/page", async (request, reply) => {
    request.log.info({ req: request, res: reply }, "logged");
    return reply.redirect("https://app.test/?code=secret");
  });
  const { headers } = await server.inject({ url: "/page?code=secret&state=secret", headers: { authorization: "Bearer secret", cookie: "talkback=secret" } });
  await server.close();
  const logged = lines.find((line) => line.includes("logged")) ?? "";
  expect(JSON.parse(logged)).toMatchObject({ request_id: headers["x-request-id"], req: { method: "GET", path: "/page" }, res: { statusCode: 200 } });
  expect(lines.join("")).not.toContain("secret");
});
