import { createProject } from "../../contract/operations/projects.ts";
import { useCreateProject } from "./projects.ts";
import { useForm } from "./use-form.ts";

/** Returns the form that creates a project. */
export const useNewProjectForm = () => useForm(useCreateProject(), createProject.body, ["name", "group_id"]);
