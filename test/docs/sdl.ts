// The GraphQL schema as one document without extensions: some tools that read SDL do not merge them.
import { type DefinitionNode, Kind, type ObjectTypeDefinitionNode, parse, print } from "graphql";
import { typeDefs } from "../../services/api/graphql/sdl.ts";

export function publishedSdl(): string {
  const { definitions } = parse(typeDefs);
  return `${definitions.flatMap((each) => merged(each, definitions)).join("\n\n")}\n`;
}

function merged(definition: DefinitionNode, all: readonly DefinitionNode[]): readonly string[] {
  if (definition.kind === Kind.OBJECT_TYPE_EXTENSION) return [];
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [print(definition)];
  const extensions = all.flatMap((each) =>
    each.kind === Kind.OBJECT_TYPE_EXTENSION && each.name.value === definition.name.value ? [each] : [],
  );
  const fields = [definition, ...extensions].flatMap((each) => each.fields ?? []);
  const whole: ObjectTypeDefinitionNode = { ...definition, fields };
  return [print(whole)];
}
