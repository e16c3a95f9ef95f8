import * as operations from "../../contract/operations/projects.ts";
import * as teamOperations from "../../contract/operations/teams.ts";
import type { Project } from "../../contract/records.ts";
import type { Api, CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export const listProjects = (api: Api, options?: CallOptions): Promise<Project[]> =>
  fetchAllPages((cursor) => api.call(operations.listProjects, { query: { cursor, limit: 200 } }, options));

export interface NewProject {
  name: string;
  team_id: number;
  group_id?: number | null;
  description?: string;
}
export const createProject = async (api: Api, body: NewProject, idempotencyKey: string) =>
  (await api.call(operations.createProject, { body }, { idempotencyKey })).data;

export const listProjectMembers = async (api: Api, project_id: number, options?: CallOptions) =>
  (await api.call(operations.listProjectMembers, { params: { project_id } }, options)).data;

export const addProjectMember = async (api: Api, project_id: number, account_id: number) =>
  (await api.call(operations.addProjectMember, { params: { project_id }, body: { account_id } })).data;

export const removeProjectMember = (api: Api, project_id: number, account_id: number) =>
  api.call(operations.removeProjectMember, { params: { project_id, account_id } });

export const listTeams = async (api: Api, options?: CallOptions) => (await api.call(teamOperations.listTeams, { body: {} }, options)).data;

export const listGroups = async (api: Api, team_id: number, options?: CallOptions) =>
  (await api.call(teamOperations.listGroups, { body: { team_id } }, options)).data;

export const createGroup = async (api: Api, body: { name: string; team_id: number; description?: string }, idempotencyKey: string) =>
  (await api.call(teamOperations.createGroup, { body }, { idempotencyKey })).data;
