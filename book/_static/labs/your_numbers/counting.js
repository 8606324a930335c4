// What each chapter's fit asks of a table's columns, by the chapter. A chapter that is not here takes
// the columns as they are.
export { counted as flow_priority } from './flow_priority.js';
export { counted as group_commit } from './group_commit.js';
export { counted as time_outs } from './time_outs.js';
