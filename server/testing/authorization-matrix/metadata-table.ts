/** Matrix rows about metadata, in the format of `table.ts`. */
export const METADATA_TABLE = `
listMetadataTemplates   of home                     404 404 404 404 | 200 200 | 200 200 200 200
listMetadataTemplates   of foreign                  200 200 200 200 | 404 404 | 404 404 404 404
createMetadataTemplate  in home                     404 404 404 404 | 403 403 | 403 403 200 200
createMetadataTemplate  in apart                    404 404 404 404 | 404 404 | 404 404 200 200
updateMetadataTemplate  of home                     404 404 404 404 | 403 403 | 403 403 200 200
updateMetadataTemplate  of foreign                  200 200 403 403 | 404 404 | 404 404 404 404
getMetadataTemplateUsage of home                    404 404 404 404 | 403 403 | 403 403 200 200
getMetadataTemplateUsage of foreign                 200 200 403 403 | 404 404 | 404 404 404 404
deleteMetadataTemplate  of home                     404 404 404 404 | 403 403 | 403 403 200 200
restoreMetadataTemplate of home                     404 404 404 404 | 403 403 | 403 403 200 200
createMetadataField     in home                     404 404 404 404 | 403 403 | 403 403 200 200
updateMetadataField     of home                     404 404 404 404 | 403 403 | 403 403 200 200
updateMetadataField     of foreign                  200 200 403 403 | 404 404 | 404 404 404 404
deleteMetadataField     of home                     404 404 404 404 | 403 403 | 403 403 200 200
restoreMetadataField    of home                     404 404 404 404 | 403 403 | 403 403 200 200
getFileMetadata         of home                     404 404 404 404 | 404 404 | 200 200 200 200
getFileMetadata         of foreign                  200 200 200 200 | 404 404 | 404 404 404 404
getMetadataSuggestions  of home                     404 404 404 404 | 404 404 | 200 200 200 200
updateFileMetadata      another's in home           404 404 404 404 | 404 404 | 403 200 200 200
updateFileMetadata      one's own in home           404 404 404 404 | 404 404 | 200 200 200 200
updateFileMetadata      of foreign                  200 200 200 403 | 404 404 | 404 404 404 404
listFileMetadata        of home                     404 404 404 404 | 404 404 | 200 200 200 200
listFileMetadata        of foreign                  200 200 200 200 | 404 404 | 404 404 404 404
updateProjectMetadata   another's in home           404 404 404 404 | 404 404 | 403 200 200 200
updateProjectMetadata   one's own in home           404 404 404 404 | 404 404 | 200 200 200 200
exportMetadata          of home                     404 404 404 404 | 404 404 | 200 200 200 200
exportMetadata          of foreign                  200 200 200 200 | 404 404 | 404 404 404 404
importMetadata          another's into home         404 404 404 404 | 404 404 | 403 200 200 200
importMetadata          one's own into home         404 404 404 404 | 404 404 | 200 200 200 200
downloadWithMetadata    of home, without values     404 404 404 404 | 404 404 | 409 409 409 409
getArchiveWithMetadata  of home, without values     404 404 404 404 | 404 404 | 409 409 409 409
getArchiveWithMetadata  of foreign, without values  409 409 409 409 | 404 404 | 404 404 404 404
`;
