/** Matrix rows about comments, status management and tag corrections, in the format of `table.ts`. */
export const REVIEW_TABLE = `
listComments         of home                        404 404 404 404 | 404 404 | 200 200 200 200
listComments         of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
writeComment         in home                        404 404 404 404 | 404 404 | 200 200 200 200
writeComment         in apart                       404 404 404 404 | 404 404 | 404 404 200 200
writeComment         reply to one of foreign        404 404 404 404 | 404 404 | 400 400 400 400
updateComment        one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
updateComment        another's in home              404 404 404 404 | 404 404 | 403 403 403 403
updateComment        another's, resolved            404 404 404 404 | 404 404 | 403 200 200 200
updateComment        one's own, resolved            404 404 404 404 | 404 404 | 200 200 200 200
updateComment        another's, edit and resolve     404 404 404 404 | 404 404 | 403 403 403 403
updateComment        of foreign                     200 200 200 403 | 404 404 | 404 404 404 404
deleteComment        one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
deleteComment        another's in home              404 404 404 404 | 404 404 | 403 403 200 200
deleteComment        of apart                       404 404 404 404 | 404 404 | 404 404 200 200
restoreComment       own, deleted by oneself        404 404 404 404 | 404 404 | 200 200 200 200
restoreComment       own, deleted by another        404 404 404 404 | 404 404 | 403 403 403 403
restoreComment       another's, deleted by oneself  404 404 404 404 | 404 404 | 403 403 200 200
restoreComment       another's, deleted by them     404 404 404 404 | 404 404 | 403 403 403 403
markCommentsRead     of home                        404 404 404 404 | 404 404 | 200 200 200 200
markCommentsRead     of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
showComment          of home                        404 404 404 404 | 404 404 | 200 200 200 200
showComment          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
showComment          of a deleted file              404 404 404 404 | 404 404 | 404 404 404 404

createFileStatus     in home                        404 404 404 404 | 403 403 | 403 403 200 200
createFileStatus     in apart                       404 404 404 404 | 404 404 | 404 404 200 200
updateFileStatus     of home                        404 404 404 404 | 403 403 | 403 403 200 200
updateFileStatus     of foreign                     200 200 403 403 | 404 404 | 404 404 404 404
orderFileStatuses    of home                        404 404 404 404 | 403 403 | 403 403 200 200
orderFileStatuses    of apart                       404 404 404 404 | 404 404 | 404 404 200 200
deleteFileStatus     of home                        404 404 404 404 | 403 403 | 403 403 200 200
deleteFileStatus     replaced by one of foreign     404 404 404 404 | 403 403 | 403 403 400 400
getFileStatusUsage   of home                        404 404 404 404 | 403 403 | 403 403 200 200
getFileStatusUsage   of foreign                     200 200 403 403 | 404 404 | 404 404 404 404
updateTeam           of home                        404 404 404 404 | 403 403 | 403 403 200 200
updateTeam           of foreign                     200 200 403 403 | 404 404 | 404 404 404 404
setDefaultFileStatus of home                        404 404 404 404 | 403 403 | 403 403 200 200
setDefaultFileStatus of foreign, in home            404 404 404 404 | 403 403 | 403 403 400 400

correctTags          of home                        404 404 404 404 | 404 404 | 403 200 200 200
correctTags          of foreign                     200 200 200 403 | 404 404 | 404 404 404 404
regenerateTags       of home                        404 404 404 404 | 404 404 | 403 200 200 200
`;
