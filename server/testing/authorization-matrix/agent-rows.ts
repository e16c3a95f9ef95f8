/** The matrix rows about agents and their tokens, in the format of `table.ts`, and their requests. */
import { createAgentToken, createFreshAgent, rejoinProject } from "../agents.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const AGENT_TABLE = `
listAgents           all                            200:f 200:f 200:f 200:f | 200: 200: | 200:h 200:h 200:h 200:h
createAgent          without projects               200 200 403 403 | 403 403 | 403 403 200 200
createAgent          in home                        400 400 403 403 | 403 403 | 403 403 200 200
getAgent             in home                        404 404 404 404 | 200 404 | 200 200 200 200
getAgent             in foreign                     200 200 200 200 | 404 404 | 404 404 404 404
updateAgent          in home                        404 404 404 404 | 403 404 | 403 403 200 200
updateAgent          in foreign                     200 200 403 403 | 404 404 | 404 404 404 404
deleteAgent          in home                        404 404 404 404 | 403 404 | 403 403 204 204
listAgentTokens      in home                        404 404 404 404 | 403 404 | 403 403 200 200
createAgentToken     in home                        404 404 404 404 | 403 404 | 403 403 200 200
createAgentToken     in foreign                     200 200 403 403 | 404 404 | 404 404 404 404
revokeAgentToken     in home                        404 404 404 404 | 403 404 | 403 403 204 204
revokeAgentToken     in foreign                     204 204 403 403 | 404 404 | 404 404 404 404
`;

type ProjectKey = "home" | "foreign";
const agentIn = async ({ fixtures }: Scenario, key: ProjectKey): Promise<number> => {
  const [project, createdBy] = [fixtures[key].project, key === "foreign" ? fixtures.foreignOwner : fixtures.owner];
  const id = await createFreshAgent(fixtures.testApp, { createdBy, projects: [project], scopes: ["chat:read"] }, `matrix ${key}`);
  await rejoinProject(fixtures.testApp, id, project);
  return id;
};
const inBoth: RequestBuilder = async (scenario) => {
  await agentIn(scenario, "home");
  await agentIn(scenario, "foreign");
  return {};
};
let counter = 0;
const created =
  (projectOf: (scenario: Scenario) => number[]): RequestBuilder =>
  (scenario) => ({ body: { username: `Matrix agent ${++counter}`, role: "member", scopes: ["chat:read"], project_ids: projectOf(scenario) } });
const ofAgent =
  (key: ProjectKey, body?: object): RequestBuilder =>
  async (scenario) => ({ params: { agent_id: await agentIn(scenario, key) }, body });
const ofToken =
  (key: ProjectKey): RequestBuilder =>
  async (scenario) => {
    const agent_id = await agentIn(scenario, key);
    return { params: { agent_id, token_id: (await createAgentToken(scenario.fixtures.testApp, agent_id, ["chat:read"])).id } };
  };

export const AGENT_REQUESTS: Record<string, RequestBuilder> = {
  "listAgents all": inBoth,
  "createAgent without projects": created(() => []),
  "createAgent in home": created(({ fixtures }) => [fixtures.home.project]),
  "getAgent in home": ofAgent("home"),
  "getAgent in foreign": ofAgent("foreign"),
  "updateAgent in home": ofAgent("home", { user_info: "Changed" }),
  "updateAgent in foreign": ofAgent("foreign", { user_info: "Changed" }),
  "deleteAgent in home": ofAgent("home"),
  "listAgentTokens in home": ofAgent("home"),
  "createAgentToken in home": ofAgent("home", { name: "matrix", scopes: ["chat:read"] }),
  "createAgentToken in foreign": ofAgent("foreign", { name: "matrix", scopes: ["chat:read"] }),
  "revokeAgentToken in home": ofToken("home"),
  "revokeAgentToken in foreign": ofToken("foreign"),
};
