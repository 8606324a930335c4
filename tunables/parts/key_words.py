"""What the column of the keys is called in a trace; the page asks it here, too."""

# A first row that stands over the keys without being told so carries one of these.
HEADER_WORDS = {
    "block",
    "file",
    "id",
    "item",
    "key",
    "keys",
    "lba",
    "lbn",
    "name",
    "obj_id",
    "object",
    "object_id",
    "page",
    "path",
    "uri",
    "url",
}
