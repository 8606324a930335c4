/* What numba's code asks of its runtime: memory from an arena that the caller marks and releases.
   Reference counts are no code at all (see compiling.py), so nothing is freed one by one. */
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define PAGE 65536u
#define ALIGNMENT 64u

typedef struct { int64_t count; void *dtor, *dtor_info, *data; int64_t size; } MemInfo;

extern char __heap_base;
static uintptr_t top = (uintptr_t)&__heap_base;

EXPORT(mark) uintptr_t mark(void) { return top; }
EXPORT(release) void release(uintptr_t to) { top = to; }

/* Returns 0 where the bound on memory (see linking.py) leaves no room: numba's code then raises
   a MemoryError. */
EXPORT(allocate) void *allocate(uint32_t size) {
    uint64_t start = ((uint64_t)top + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    uint64_t end = start + size, have = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > UINT32_MAX) return 0;
    if (end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == -1u)
        return 0;
    top = (uintptr_t)end;
    return (void *)(uintptr_t)start;
}

static void *array(int64_t size) {
    if (size < 0 || size > UINT32_MAX - ALIGNMENT) return 0;
    MemInfo *info = allocate((uint32_t)size + ALIGNMENT);
    if (info) *info = (MemInfo){1, 0, 0, (char *)info + ALIGNMENT, size};
    return info;
}

void *NRT_MemInfo_alloc(int64_t size) { return array(size); }
void *NRT_MemInfo_alloc_aligned(int64_t size, int32_t align) { return array(size); }
void NRT_Free(void *block) {}

/* Lists: numba's sort keeps one. */
void *NRT_MemInfo_new_varsize(int64_t size) { return array(size); }
void *NRT_MemInfo_new_varsize_dtor(int64_t size, void *dtor) { return array(size); }
void *NRT_MemInfo_varsize_realloc(MemInfo *info, int64_t size) {
    void *larger = size < 0 || size > UINT32_MAX ? 0 : allocate((uint32_t)size);
    if (!larger) return 0;
    __builtin_memcpy(larger, info->data, (unsigned long)(size < info->size ? size : info->size));
    info->size = size;
    return info->data = larger;
}

/* numba assigns a number to a slice by way of a line of one item; it needs no other shape. */
int numba_attempt_nocopy_reshape(int64_t rank, int64_t *shape, int64_t *strides,
                                 int64_t new_rank, int64_t *new_shape, int64_t *new_strides,
                                 int64_t item, int order) {
    if (rank != 0 || new_rank != 1) return 0;
    new_strides[0] = item;
    return 1;
}

/* LLVM sees that a product's upper half is asked for, and calls this for it; its own library is not
   linked. The empty assembly keeps it from seeing the same here, and calling this without end. */
unsigned __int128 __multi3(unsigned __int128 a, unsigned __int128 b) {
    uint64_t a_low = (uint32_t)a, a_high = (uint64_t)a >> 32;
    uint64_t b_low = (uint32_t)b, b_high = (uint64_t)b >> 32;
    uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
    __asm__("" : "+r"(middle));
    uint64_t other = a_low * b_high + (uint32_t)middle;
    uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
    high += (uint64_t)a * (uint64_t)(b >> 64) + (uint64_t)(a >> 64) * (uint64_t)b;
    return (unsigned __int128)high << 64 | (uint64_t)a * (uint64_t)b;
}
