export { type NsysOptions, readNsys } from './read-nsys.ts';
