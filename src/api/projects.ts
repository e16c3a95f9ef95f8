import * as operations from "../../contract/operations/projects.ts";
import * as teamOperations from "../../contract/operations/teams.ts";
import type { Project } from "../../contract/records.ts";
import { call, type CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export const listProjects = (options?: CallOptions): Promise<Project[]> =>
  fetchAllPages((cursor) => call(operations.listProjects, { query: { cursor, limit: 200 } }, options));

export interface NewProject {
  name: string;
  team_id: number;
  group_id?: number | null;
  description?: string;
}
export const createProject = async (body: NewProject, idempotencyKey: string) => (await call(operations.createProject, { body }, { idempotencyKey })).data;

export const listProjectMembers = async (project_id: number, options?: CallOptions) =>
  (await call(operations.listProjectMembers, { params: { project_id } }, options)).data;

export const addProjectMember = async (project_id: number, account_id: number) =>
  (await call(operations.addProjectMember, { params: { project_id }, body: { account_id } })).data;

export const removeProjectMember = (project_id: number, account_id: number) => call(operations.removeProjectMember, { params: { project_id, account_id } });

export const listTeams = async (options?: CallOptions) => (await call(teamOperations.listTeams, { body: {} }, options)).data;

export const listGroups = async (team_id: number, options?: CallOptions) => (await call(teamOperations.listGroups, { body: { team_id } }, options)).data;

export const createGroup = async (body: { name: string; team_id: number; description?: string }, idempotencyKey: string) =>
  (await call(teamOperations.createGroup, { body }, { idempotencyKey })).data;
