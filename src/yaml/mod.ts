/**
 * YAML as Kubernetes reads and writes it: the reader of manifests, CustomResourceDefinitions and kubeconfigs, and the
 * writer of everything that is printed as YAML.
 *
 * Imports only base. The parser, a package of its own, is loaded with the first text that is read: most controllers read
 * none.
 *
 * @module
 */

export { readYaml, readYamlDocuments } from "./read_yaml.ts";
export { writeYaml, type WriteYamlOptions } from "./write_yaml.ts";
export { yamlText } from "./yaml_text.ts";
