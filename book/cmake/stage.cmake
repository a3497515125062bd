# Lays the pages of the book out as one folder for Sphinx: links to book/pages, chapters and exercises, so that what is edited
# is what is built. usage: cmake -DROOT=... -DSTAGE=... -P stage.cmake
file(REMOVE_RECURSE ${STAGE})
file(MAKE_DIRECTORY ${STAGE})
file(GLOB pages RELATIVE ${ROOT}/book/pages ${ROOT}/book/pages/*)
foreach(page IN LISTS pages)
  file(CREATE_LINK ${ROOT}/book/pages/${page} ${STAGE}/${page} SYMBOLIC)
endforeach()
file(CREATE_LINK ${ROOT}/chapters ${STAGE}/chapters SYMBOLIC)
file(CREATE_LINK ${ROOT}/exercises ${STAGE}/exercises SYMBOLIC)
